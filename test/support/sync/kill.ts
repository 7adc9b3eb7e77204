/** Ends a run at one of its effects, or lets something happen there, as a crash and other programs do. @module */

/** The end of a process. */
export class Killed extends Error {}

/** What happens at an effect: before it, or after it was done and before anything knows of it. */
export interface Interruption {
  /** The number of the effect, from 0. */
  readonly at: number
  readonly isAfter: boolean
  readonly happen: () => void
}

/** Counts the effects of a run. */
export class Effects {
  readonly #interruptions: readonly Interruption[]
  #count = 0
  #isKilled = false

  constructor(interruptions: readonly Interruption[]) {
    this.#interruptions = interruptions
  }

  /** Wraps every method of an object that returns a promise. */
  watch<T extends object>(target: T): T {
    return new Proxy(target, {
      get: (object, key) => {
        const member: unknown = Reflect.get(object, key)
        if (typeof member !== 'function') return member
        return (...args: unknown[]) => this.#run(() => Reflect.apply(member, object, args))
      },
    })
  }

  /** Wraps a function. */
  wrap<T>(act: () => Promise<T>): () => Promise<T> {
    return () => this.#run(act)
  }

  async #run<T>(act: () => T | Promise<T>): Promise<T> {
    const at = this.#count++
    this.#interrupt(at, false)
    const result = await act()
    this.#interrupt(at, true)
    return result
  }

  #interrupt(at: number, isAfter: boolean): void {
    // What has begun beside the effect ends with the process as well.
    if (this.#isKilled) throw new Killed()
    try {
      for (const one of this.#interruptions)
        if (one.at === at && one.isAfter === isAfter) one.happen()
    } catch (error) {
      this.#isKilled ||= error instanceof Killed
      throw error
    }
  }
}
