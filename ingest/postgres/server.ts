/**
 * An expression for the server and its database. Through a pooler, the same connection may reach
 * another server after a failover, or a database restored from a backup.
 */
export const SERVER = `extract(epoch FROM pg_postmaster_start_time())::text || ' ' ||
  (SELECT oid FROM pg_database WHERE datname = current_database())`;
