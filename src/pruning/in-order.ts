/** How many items are under way at the same time. */
const WORKERS = 4;

/** Results in the order of the items, a few of them under way at the same time; the first failure ends all. */
export async function inOrder<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  let failed = false;
  const worker = async () => {
    for (const [position, item] of queue) {
      if (failed) return;
      try {
        results[position] = await work(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(WORKERS, items.length) }, worker));
  return results;
}
