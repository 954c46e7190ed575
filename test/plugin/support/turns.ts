/** Counts the turns of the event loop, some thousand at most, until it is stopped. */
export function countTurns() {
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns += 1;
    if (!isDone && turns < 1_000) setImmediate(count);
  };
  setImmediate(count);
  return {
    stop: () => {
      isDone = true;
    },
    count: () => turns,
  };
}
