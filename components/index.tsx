export { type AppExit, type OpenOptions, openApp } from "./terminal/open-app.tsx";
