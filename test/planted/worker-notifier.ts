/**
 * Faults of `worker/notifier/`: what reaches the person, and whom a notification must not reach.
 *
 * @module
 */

import type { Fault } from './fault.ts'

const ATTACKS = ['test/worker/notifier/attacks.test.ts']
const QUEUE = ['test/worker/notifier/queue.test.ts']
const PUSH = ['test/worker/notifier/push.test.ts']

const ENDED = 'A device that was removed, or that another owner added, gets nothing more'

export const NOTIFIER: readonly Fault[] = [
  {
    name: 'notifier: devices stay when the owner changes',
    promise: ENDED,
    file: 'worker/notifier/notifier.ts',
    before: 'for (const { id } of context.devices.all()) forget(context, id)',
    after: '',
    tests: ATTACKS,
  },
  {
    name: 'notifier: an address in the network is pushed to once it is stored',
    promise: 'The address of a device cannot make this server send requests inside its network',
    file: 'worker/notifier/push.ts',
    before: "if (!isEndpoint(device.endpoint)) return { outcome: 'gone', status: null }",
    after: '',
    tests: ATTACKS,
  },
  {
    name: 'notifier: any host name counts as public',
    promise: 'The address of a device cannot make this server send requests inside its network',
    file: 'worker/notifier/device.ts',
    before: '&& isPublicName(hostname)',
    after: "&& hostname !== ''",
    tests: ATTACKS,
  },
  {
    name: 'notifier: a topic tells the name of a workspace',
    promise: 'No push service learns the name of a workspace',
    file: 'worker/notifier/push.ts',
    before: 'toBase64Url((await digest(`topic ${tag}`)).subarray(0, TOPIC_BYTES))',
    after:
      'toBase64Url(new TextEncoder().encode(tag.padEnd(TOPIC_BYTES)).subarray(0, TOPIC_BYTES))',
    tests: PUSH,
  },
  {
    name: 'notifier: quiet hours hold nothing back',
    promise: 'Nothing is sent in quiet hours',
    file: 'worker/notifier/rounds.ts',
    before: 'if (findQuietEnd(context.sql, now) === null) await runRound(context, now)',
    after: 'await runRound(context, now)',
    tests: QUEUE,
  },
  {
    name: 'notifier: what waits is sent after it was decided',
    promise: 'Nothing is sent of what no longer waits',
    file: 'worker/notifier/notifier.ts',
    before: `    summaries.save(summary, null)
    deliveries.dropWorkspace(workspace)
    return`,
    after: '    return',
    tests: QUEUE,
  },
  {
    name: 'notifier: a newer notification is lost while one is sent',
    promise: 'A notification is delivered at least once',
    file: 'worker/notifier/deliveries.ts',
    before: '`DELETE FROM deliveries ${where} AND notice = ?`',
    after: '`DELETE FROM deliveries ${where} AND notice IS NOT NULL AND 0 < ?`',
    tests: QUEUE,
  },
  {
    name: 'notifier: a receiver has several attempts at once',
    promise: 'A push service that does not answer delays only its own device',
    file: 'worker/notifier/rounds.ts',
    before: 'deliveries.claim(Math.max(now, Date.now()), busy)',
    after: 'deliveries.claim(Math.max(now, Date.now()), new Set())',
    tests: QUEUE,
  },
]
