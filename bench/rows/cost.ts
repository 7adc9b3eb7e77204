/**
 * Dollars of a million calls at Cloudflare's list prices, beside the same calls of the peers, and beside the least that
 * such a call costs: a request to an object that answers, or one that writes a row.
 *
 * @module
 */

import type { Figure } from '../../scripts/figure.ts'
import { interleave } from '../median.ts'
import { openLeast, openPeers, openProduct, type Contender } from '../priced.ts'
import { ownCalls, pricedCalls, type PricedCall } from '../priced-calls.ts'
import { pricePerMillion } from '../../scripts/prices.ts'
import type { CallUsage } from '../../worker/tools/lib/checked-facts.ts'
import type { Context, Row } from '../row.ts'

/** Rounds of CPU time, which varies less than the time of a call. */
const MAX_ROUNDS = 3

const READ =
  'The requests to Worker and object are nearly all of the price, and the same for everyone; then CPU time, and a thousandth of a dollar for each row read.'
const WRITE =
  'A row written costs as much as a thousand that are read: an overwrite writes five, which are its content with the index of its hash, the file, its version and the change.'

/** The rows of costs. */
export const rows: Row[] = [...pricedCalls(), ...ownCalls()].map((call) => ({
  name: `cost-${call.name.replaceAll(/[ ,]+/g, '-')}`,
  goal: 'reported',
  limit: call.writes ? WRITE : READ,
  run: (context: Context) => compare(context, call),
}))

interface Priced {
  readonly title: string
  readonly usage: CallUsage
  readonly cpuMs: number
  readonly price: number
}

async function compare(context: Context, call: PricedCall): Promise<Figure[]> {
  const { product, least, peers } = await contendersOf(context)
  const [ours, ...others] = await priceAll(context, call, [
    product,
    call.writes ? least.write : least.hop,
    ...(call.markers[1] === undefined ? [] : peers),
  ])
  return others.map(({ title, usage, cpuMs, price }, index) => ({
    work: `a million calls of ${call.name}: ${billed(ours.usage)}`,
    unit: '$',
    edgewise: ours.price,
    baseline: { name: `${title}, ${billed(usage)}`, value: price },
    cost:
      index === 0
        ? { call: call.name, cpuMs: ours.cpuMs }
        : { call: call.name, cpuMs, peer: { title, usage } },
  }))
}

async function priceAll(
  { scale }: Context,
  call: PricedCall,
  contenders: readonly [Contender, ...Contender[]],
): Promise<[Priced, ...Priced[]]> {
  const samplers = contenders.map(
    ({ title, cpu }) => [title, () => cpu(call, scale.seconds / 2)] as const,
  )
  const measured = await interleave(
    Math.min(MAX_ROUNDS, scale.rounds),
    Object.fromEntries(samplers),
  )
  const price = async ({ title, count }: Contender): Promise<Priced> => {
    const [usage, cpuMs] = [await count(call), measured[title] ?? 0]
    return { title, usage, cpuMs, price: pricePerMillion(usage, cpuMs) }
  }
  const [first, ...rest] = contenders
  return [await price(first), ...(await Promise.all(rest.map(price)))]
}

/** What is billed beside requests and CPU time. */
function billed({ rowsRead, rowsWritten }: CallUsage): string {
  return `${rowsRead} rows read, ${rowsWritten} written`
}

const opened = new WeakMap<Context, ReturnType<typeof openAll>>()

function contendersOf(context: Context) {
  const contenders = opened.get(context) ?? openAll(context)
  opened.set(context, contenders)
  return contenders
}

async function openAll(context: Context) {
  const product = await openProduct(context)
  return { product, least: await openLeast(context), peers: await openPeers(context) }
}
