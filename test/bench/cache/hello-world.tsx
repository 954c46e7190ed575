import { render, Text } from "ink";

render(<Text>Hello, world</Text>);
