-- Two profiles in the tables of .NET's PostgreSQL storage. The other rows are not loaded, because
-- they have no profile or no path to a root step.
create table miniprofilers (rowid serial primary key, id uuid not null, roottimingid uuid, name varchar(200),
    started timestamp(3) not null, durationmilliseconds numeric(15,1) not null, "User" varchar(100),
    hasuserviewed boolean not null, machinename varchar(100), customlinksjson varchar, clienttimingsredirectcount integer);
create table miniprofilertimings (rowid serial primary key, id uuid not null, miniprofilerid uuid not null,
    parenttimingid uuid, name varchar(200) not null, durationmilliseconds numeric(15,3) not null,
    startmilliseconds numeric(15,3) not null, isroot boolean not null, depth smallint not null, customtimingsjson varchar);
create table miniprofilerclienttimings (rowid serial primary key, id uuid not null, miniprofilerid uuid not null,
    name varchar(200) not null, start numeric(9,3) not null, duration numeric(9,3) not null);
insert into miniprofilers values
    (1, '00000000-0000-0000-0000-000000000002', '00000000-0000-0000-0000-000000000021', 'Ж <b>', '2026-11-21 07:46:49.806', 7.5, 'ann', false, 'vm', '{"a":"b"}', null),
    (2, '00000000-0000-0000-0000-000000000001', '00000000-0000-0000-0000-000000000011', null, '2026-11-21 10:00:00', 3, null, true, null, null, 1),
    (3, '00000000-0000-0000-0000-000000000003', '00000000-0000-0000-0000-000000000031', 'no root', '2026-11-21 10:00:00', 3, null, true, null, null, null);
insert into miniprofilertimings values
    (1, '00000000-0000-0000-0000-000000000012', '00000000-0000-0000-0000-000000000001', '00000000-0000-0000-0000-000000000011', 'second', 1, 2, false, 1, null),
    (2, '00000000-0000-0000-0000-000000000011', '00000000-0000-0000-0000-000000000001', '00000000-0000-0000-0000-000000000000', 'root', 3, 0, true, 0, '{"sql":[{"Id":"x","CommandString":"select 1","StartMilliseconds":0.1,"DurationMilliseconds":0.25,"Errored":false}]}'),
    (3, '00000000-0000-0000-0000-000000000013', '00000000-0000-0000-0000-000000000001', '00000000-0000-0000-0000-000000000011', 'first', 1, 1, false, 1, null),
    (4, '00000000-0000-0000-0000-000000000021', '00000000-0000-0000-0000-000000000002', null, 'root', 7.5, 0, true, 0, null),
    (5, '00000000-0000-0000-0000-000000000022', '00000000-0000-0000-0000-000000000002', '00000000-0000-0000-0000-000000000023', 'cycle', 1, 1, false, 1, null),
    (6, '00000000-0000-0000-0000-000000000023', '00000000-0000-0000-0000-000000000002', '00000000-0000-0000-0000-000000000022', 'cycle', 1, 1, false, 1, null),
    (7, '00000000-0000-0000-0000-000000000024', '00000000-0000-0000-0000-000000000002', '00000000-0000-0000-0000-000000000023', 'below', 1, 1, false, 2, null),
    (8, '00000000-0000-0000-0000-000000000025', '00000000-0000-0000-0000-000000000002', '00000000-0000-0000-0000-0000000000ff', 'lost', 1, 1, false, 1, null),
    (9, '00000000-0000-0000-0000-000000000099', '00000000-0000-0000-0000-000000000009', null, 'no profile', 1, 1, true, 0, null);
insert into miniprofilerclienttimings values
    (1, '00000000-0000-0000-0000-000000000c02', '00000000-0000-0000-0000-000000000001', 'later', 5, 0),
    (2, '00000000-0000-0000-0000-000000000c01', '00000000-0000-0000-0000-000000000001', 'fetchStart', 1.5, 2);
-- A profile and a step with repeated ids.
insert into miniprofilers values
    (4, '00000000-0000-0000-0000-000000000001', '00000000-0000-0000-0000-000000000011', 'again', '2026-11-21 10:00:01', 4, null, true, null, null, null);
insert into miniprofilertimings values
    (10, '00000000-0000-0000-0000-000000000013', '00000000-0000-0000-0000-000000000001', '00000000-0000-0000-0000-000000000011', 'again', 1, 5, false, 1, null);
