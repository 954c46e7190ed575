import { render } from "ink";
import type { App } from "../../src/state/index.ts";
import type { Words } from "../../src/words/index.ts";
import { AppView } from "../app-view.tsx";
import { createPainter } from "./painter.ts";
import { ENTER_SCREEN, LEAVE_SCREEN, sizeOf } from "./terminal-modes.ts";

export interface PresentationInput {
  readonly app: App;
  readonly words: Words;
  readonly colour: boolean;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly onCrash: (error: unknown) => void;
}

/** The app as it is shown on a terminal, and the terminal given back when it is not. */
export interface Presentation {
  /** Gives the terminal back. Synchronous, and harmless when done twice. */
  readonly release: () => void;
  /** Takes the terminal again after `release`, with whatever size it has now. */
  readonly retake: () => void;
  /** Ends it for good. */
  readonly close: () => void;
}

/** The whole terminal, on its alternate screen. */
export function presentFullScreen(input: PresentationInput): Presentation {
  const { app, words, colour, stdin, stdout, onCrash } = input;
  const painter = createPainter(stdout);
  const resize = () => {
    app.resize(sizeOf(stdout));
    painter.repaint();
  };
  const release = () => {
    painter.pause();
    stdout.write(LEAVE_SCREEN);
  };
  stdout.write(ENTER_SCREEN);
  stdout.on("resize", resize);
  const ink = render(<AppView app={app} words={words} colour={colour} onCrash={onCrash} />, {
    stdin,
    stdout: painter.stream,
    debug: true,
    exitOnCtrlC: false,
    patchConsole: false,
    // A frame is one line below the other, each laid out already. What Ink would write for a screen reader is just
    // that; otherwise it takes every character apart to find its place, which is most of the time of a frame.
    isScreenReaderEnabled: true,
  });
  ink.waitUntilExit().catch(onCrash);
  return {
    release,
    retake() {
      stdout.write(ENTER_SCREEN);
      app.resize(sizeOf(stdout));
      painter.resume();
    },
    close() {
      stdout.off("resize", resize);
      painter.pause();
      ink.unmount();
      release();
    },
  };
}

/** A linear view for a screen reader, in the terminal's ordinary flow. */
export function presentLinear(input: PresentationInput): Presentation {
  const { app, words, colour, stdin, stdout, onCrash } = input;
  const resize = () => app.resize(sizeOf(stdout));
  stdout.on("resize", resize);
  const ink = render(<AppView app={app} words={words} colour={colour} isLinear onCrash={onCrash} />, {
    stdin,
    stdout,
    exitOnCtrlC: false,
    patchConsole: false,
    isScreenReaderEnabled: true,
  });
  ink.waitUntilExit().catch(onCrash);
  return {
    release: () => stdout.write("\n"),
    retake: resize,
    close() {
      stdout.off("resize", resize);
      ink.unmount();
      stdout.write("\n");
    },
  };
}
