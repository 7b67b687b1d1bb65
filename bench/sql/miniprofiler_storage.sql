-- The three tables of MiniProfiler's .NET storage for PostgreSQL, with their indexes.
CREATE TABLE miniprofilers (
    rowid serial PRIMARY KEY,
    id uuid NOT NULL UNIQUE,
    roottimingid uuid,
    name varchar(200),
    started timestamp(3) NOT NULL,
    durationmilliseconds numeric(15,1) NOT NULL,
    "User" varchar(100),
    hasuserviewed boolean NOT NULL,
    machinename varchar(100),
    customlinksjson varchar,
    clienttimingsredirectcount integer
);
CREATE INDEX ON miniprofilers ("User", hasuserviewed);
CREATE TABLE miniprofilertimings (
    rowid serial PRIMARY KEY,
    id uuid NOT NULL UNIQUE,
    miniprofilerid uuid NOT NULL,
    parenttimingid uuid,
    name varchar(200) NOT NULL,
    durationmilliseconds numeric(15,3) NOT NULL,
    startmilliseconds numeric(15,3) NOT NULL,
    isroot boolean NOT NULL,
    depth smallint NOT NULL,
    customtimingsjson varchar
);
CREATE INDEX ON miniprofilertimings (miniprofilerid);
CREATE TABLE miniprofilerclienttimings (
    rowid serial PRIMARY KEY,
    id uuid NOT NULL UNIQUE,
    miniprofilerid uuid NOT NULL,
    name varchar(200) NOT NULL,
    start numeric(9,3) NOT NULL,
    duration numeric(9,3) NOT NULL
);
CREATE INDEX ON miniprofilerclienttimings (miniprofilerid);
