#!/bin/sh
# Replaces the unit tests in a build without cmocka.
echo "1..0 # SKIP unit tests were not built: configure did not find cmocka >= 1.1.5"
