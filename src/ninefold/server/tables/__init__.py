"""Tables as pure data: commands, events, messages. No clock, network or storage."""
