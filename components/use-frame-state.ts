import { useEffect, useState } from "react";
import type { StoreApi } from "zustand/vanilla";

/** Milliseconds between two frames that nobody pressed a key for. */
const FRAME = 33;

/**
 * A store's state, at most once a frame. The first change after a quiet time is seen at once, so a key press is
 * never late; a stream of changes is not drawn faster than a screen can show it.
 */
export function useFrameState<State>(store: StoreApi<State>): State {
  const [state, setState] = useState(store.getState);
  useEffect(() => {
    let seen = 0;
    let waiting: NodeJS.Timeout | undefined;
    const take = () => {
      waiting = undefined;
      seen = performance.now();
      setState(store.getState());
    };
    const unsubscribe = store.subscribe(() => {
      if (waiting !== undefined) return;
      const since = performance.now() - seen;
      if (since >= FRAME) take();
      else waiting = setTimeout(take, FRAME - since);
    });
    take();
    return () => {
      unsubscribe();
      clearTimeout(waiting);
    };
  }, [store]);
  return state;
}
