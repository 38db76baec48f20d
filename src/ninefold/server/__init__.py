"""The server: tables that people join by a link, kept in a database, played over the network."""
