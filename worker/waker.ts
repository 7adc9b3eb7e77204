/** The one alarm of an object, set for the earliest of all that wants to happen later. @module */

export function createWaker(storage: DurableObjectStorage) {
  /** When the alarm will ring, as far as this life of the object knows. */
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
