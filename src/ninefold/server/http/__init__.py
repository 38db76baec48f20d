"""HTTP and WebSocket: routes, handlers, limits, pages and logs."""
