"""Tables in play: sessions, connections, bots and clocks."""
