import { Component, type ReactNode } from "react";

interface CrashBoundaryProps {
  readonly onCrash: (error: unknown) => void;
  readonly children: ReactNode;
}

/** Catches what goes wrong while drawing. Ink's own boundary would draw the error, with whatever it quotes. */
export class CrashBoundary extends Component<CrashBoundaryProps, { readonly crashed: boolean }> {
  override state = { crashed: false };

  static getDerivedStateFromError(): { readonly crashed: boolean } {
    return { crashed: true };
  }

  override componentDidCatch(error: unknown): void {
    this.props.onCrash(error);
  }

  override render(): ReactNode {
    return this.state.crashed ? null : this.props.children;
  }
}
