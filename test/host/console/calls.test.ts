/** Tool calls of the console: who is shown as the one who asks. */

import { afterEach, expect, it } from 'vitest'
import { callAsApp } from '#host/console/tools/calls.ts'
import { describeAsker, queue } from '#host/console/questions/queue.ts'
import { parseCallResult, parseServer, parseTools } from '#host/mcp/parse.ts'

const url = 'https://bank.example/mcp'
const [transfer] = parseTools({ tools: [{ name: 'transfer' }] }).items
const connection = {
  url,
  server: parseServer({ name: 'bank' }, url),
  call: async () => parseCallResult({ content: [] }),
}

afterEach(() => (queue.value = []))

it('marks an app as one, whatever its name', async () => {
  if (!transfer) throw new Error('It has a name')
  void callAsApp(connection, transfer, {}, 'This console')
  await expect.poll(() => queue.value.length).toBe(1)
  const [one] = queue.value
  expect(one?.kind === 'approve' && describeAsker(one.asker)).toBe('The app “This console”')
})
