/**
 * The alarm of an object, shared by all deferred work: it is set to the earliest time that is asked for.
 *
 * @module
 */

/** The alarm of one object. */
export type Alarm = ReturnType<typeof createAlarm>

/** Wraps the alarm of an object. Call `rang` when it has fired; `wakeAt` does not wait for storage. */
export function createAlarm(storage: DurableObjectStorage) {
  /** When the alarm is due, as far as this instance of the object knows. */
  let wake: number | null = null

  /** Sets the alarm, unless it is known to be set for earlier. */
  async function setFor(time: number): Promise<void> {
    if (wake !== null && wake <= time) return
    wake = time
    const set = await storage.getAlarm()
    if (set === null || set > time) await storage.setAlarm(time)
  }

  return {
    setFor,
    wakeAt: (time: number): void => void setFor(time),
    rang: () => {
      wake = null
    },
  }
}
