import { createInterface } from "node:readline/promises";

/** Whether somebody is there to be asked. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

const ANSWER = "yes";

/** Asks on the terminal. Only the whole word counts; ending the input or the signal is a no. */
export async function confirmed(question: string, signal: AbortSignal): Promise<boolean> {
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  const stop = new AbortController();
  prompt.once("SIGINT", () => stop.abort());
  prompt.once("close", () => stop.abort());
  try {
    const answer = await prompt.question(`${question} Type ${ANSWER} to go on: `, {
      signal: AbortSignal.any([signal, stop.signal]),
    });
    return answer.trim().toLowerCase() === ANSWER;
  } catch {
    process.stderr.write("\n");
    return false;
  } finally {
    prompt.close();
  }
}
