import { render, Text } from "ink";

render(<Text>Hello, world</Text>);
// It stays, so that whoever measures it can look at it.
setInterval(() => {}, 1_000);
