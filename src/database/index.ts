export type * from "./database-file.ts";
export { codeOf, isBusy, isDamage, reasonOf } from "./failure.ts";
export { type OpenedDatabase, type OwnDatabase, openDatabase } from "./open-database.ts";
export { setAside } from "./set-aside.ts";
