/**
 * Statistics of a load test: the duration of each kind of call, refusals and faults.
 *
 * @module
 */

export interface Statistics {
  /** Resets calls and refusals; faults stay. */
  readonly clear: () => void
  /** Notes a call that was answered, and after how many milliseconds. */
  readonly answered: (kind: string, ms: number) => void
  /** Notes a refusal that the model allows, by its code. */
  readonly refused: (code: string) => void
  /** Records a fault. */
  readonly fault: (who: string, error: unknown) => void
  readonly calls: () => number
  readonly refusals: () => Readonly<Record<string, number>>
  readonly faults: readonly string[]
  readonly rows: () => Row[]
}

export interface Row {
  readonly kind: string
  readonly calls: number
  readonly p50: number
  readonly p99: number
}

/** Further faults are dropped. */
const MAX_FAULTS = 20

export function createStatistics(): Statistics {
  const times = new Map<string, number[]>()
  const refusals = new Map<string, number>()
  const faults: string[] = []
  let calls = 0
  return {
    faults,
    clear() {
      times.clear()
      refusals.clear()
      calls = 0
    },
    calls: () => calls,
    refusals: () => Object.fromEntries(refusals),
    refused: (code) => void refusals.set(code, (refusals.get(code) ?? 0) + 1),
    answered(kind, ms) {
      calls++
      const known = times.get(kind)
      if (known) known.push(ms)
      else times.set(kind, [ms])
    },
    fault(who, error) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
      if (faults.length < MAX_FAULTS) faults.push(`${who}: ${text.slice(0, 2_000)}`)
    },
    rows() {
      const all = [...times].map(([kind, each]) => rowOf(kind, each))
      return [...all.sort((a, b) => b.calls - a.calls), rowOf('all', [...times.values()].flat())]
    },
  }
}

function rowOf(kind: string, times: readonly number[]): Row {
  const [p50 = 0, p99 = 0] = quantiles(times, 0.5, 0.99)
  return { kind, calls: times.length, p50, p99 }
}

/** The numbers below which these parts of all numbers lie. */
export function quantiles(numbers: readonly number[], ...parts: readonly number[]): number[] {
  const sorted = Float64Array.from(numbers).sort()
  const last = Math.max(0, sorted.length - 1)
  return parts.map((part) => sorted[Math.floor(part * last)] ?? 0)
}
