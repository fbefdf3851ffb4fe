/** A stand-in for the browser's EventSource, driven by the test. */
export class FakeEventSource extends EventTarget {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSED = 2;
  /** Every stream that was opened, oldest first. */
  static opened: FakeEventSource[] = [];

  readyState = FakeEventSource.CONNECTING;
  onopen: (() => void) | null = null;
  onerror: (() => void) | null = null;

  constructor(readonly url: string) {
    super();
    FakeEventSource.opened.push(this);
  }

  static latest(): FakeEventSource {
    const last = FakeEventSource.opened.at(-1);
    if (last === undefined) throw new Error("no stream was opened");
    return last;
  }

  open(): void {
    this.readyState = FakeEventSource.OPEN;
    this.onopen?.();
  }

  send(event: string, data: unknown): void {
    this.dispatchEvent(new MessageEvent(event, { data: JSON.stringify(data) }));
  }

  /** The line breaks: the browser tries again by itself, or gives up. */
  break(givenUp: boolean): void {
    this.readyState = givenUp ? FakeEventSource.CLOSED : FakeEventSource.CONNECTING;
    this.onerror?.();
  }

  close(): void {
    this.readyState = FakeEventSource.CLOSED;
  }
}
