"""Tables in browsers: builds a seat's page as a value, and serves it through a gateway."""
