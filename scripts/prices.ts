/**
 * Cloudflare's list prices of the paid plan, beyond what the plan includes, and the price of what a call uses.
 *
 * Copied by hand from the pages in {@link PRICE_SOURCES}; see there for the date.
 *
 * @module
 */

import type { CallUsage } from '../worker/tools/lib/checked-facts.ts'

/** Where the prices are from. */
export const PRICE_SOURCES = {
  /** The day on which stored copies of these pages were read. */
  date: '2026-11-23',
  pages: [
    'https://developers.cloudflare.com/workers/platform/pricing/',
    'https://developers.cloudflare.com/durable-objects/platform/pricing/',
    'https://developers.cloudflare.com/r2/pricing/',
  ],
} as const

/** US dollars for one million of each, unless the name says otherwise. */
export const PRICES = {
  workerRequests: 0.3,
  workerCpuMs: 0.02,
  objectRequests: 0.15,
  /** One million GB-seconds; an object is billed as 128 MB, whatever it uses. */
  objectGbSeconds: 12.5,
  rowsRead: 0.001,
  rowsWritten: 1,
  r2ClassA: 4.5,
  r2ClassB: 0.36,
  /** One GB for a month. */
  objectGbMonth: 0.2,
  r2GbMonth: 0.015,
} as const

const OBJECT_GB = 0.128

/**
 * Returns US dollars for one million calls, each a request to the Worker. `cpuMs` is the CPU time of Worker and object
 * together, and is billed as both: as CPU time of the Worker, and as duration of the object.
 */
export function pricePerMillion(usage: CallUsage, cpuMs = 0): number {
  const { requests, rowsRead, rowsWritten, classA, classB } = usage
  return (
    PRICES.workerRequests +
    cpuMs * PRICES.workerCpuMs +
    (cpuMs / 1000) * OBJECT_GB * PRICES.objectGbSeconds +
    requests * PRICES.objectRequests +
    rowsRead * PRICES.rowsRead +
    rowsWritten * PRICES.rowsWritten +
    classA * PRICES.r2ClassA +
    classB * PRICES.r2ClassB
  )
}
