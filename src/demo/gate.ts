/** Something that waits until it is allowed on. An answer of the scripted provider can be held open with it. */
export interface Gate {
  /** Resolves as soon as somebody waits at the gate. */
  readonly reached: Promise<void>;
  /** Lets everybody pass, now and later. */
  open(): void;
  /** Waits at the gate. */
  pass(): Promise<void>;
}

export function createGate(): Gate {
  let arrive = () => {};
  let open = () => {};
  const reached = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return {
    reached,
    open,
    pass() {
      arrive();
      return opened;
    },
  };
}
