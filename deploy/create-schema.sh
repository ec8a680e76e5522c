#!/bin/sh
# Creates the two databases of a Temporal server and brings their schemas up to date. Safe to run again.
# The connection comes from SQL_PLUGIN, SQL_HOST, SQL_PORT, SQL_USER and SQL_PASSWORD.
set -eu

prepare() {
  database=$1
  schema=$2
  temporal-sql-tool --db "$database" create
  temporal-sql-tool --db "$database" setup-schema --version 0.0 || true
  temporal-sql-tool --db "$database" update-schema --schema-dir "/etc/temporal/schema/postgresql/v12/$schema/versioned"
}

prepare temporal temporal
prepare temporal_visibility visibility
