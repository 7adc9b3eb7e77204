/** What a running product looks like to a test, however it was started. @module */

/** A running product. */
export interface Running {
  readonly url: string
  /** What it has written to stderr so far. */
  complaints(): string
  /** What it has written to stdout so far. */
  stdout(): string
  /** Asks it to end, as Ctrl+C does, and waits until it has. Answers its exit code. */
  readonly stop: () => Promise<number | null>
}

type Variables = Readonly<Record<string, string>>

/** Variables, or a function of the product's own URL, called when it starts. */
export type Given = Variables | ((url: string) => Variables)

export const variablesAt = (url: string, given: Given): Variables =>
  typeof given === 'function' ? given(url) : given
