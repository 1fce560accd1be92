"""Tables in browsers: the page of a seat as a value, and the gateway that brings it there."""
