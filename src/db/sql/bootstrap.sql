CREATE DATABASE profdepot TEMPLATE template0 ENCODING 'UTF8';
CREATE ROLE profdepot_loader LOGIN;
CREATE ROLE profdepot_reader LOGIN;
