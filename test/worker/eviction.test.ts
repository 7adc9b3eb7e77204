import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { it } from 'vitest'
import { freshWorkspace } from './client.ts'

const stubOf = ({ base }: { base: string }) =>
  env.WORKSPACE.get(env.WORKSPACE.idFromName(base.slice(base.lastIndexOf('/') + 1)))

it('variants', async () => {
  const w = freshWorkspace()
  await w.put('/a', 'one')
  console.log('1 await forever')
  console.log(
    await runInDurableObject(stubOf(w), async (_, state) => {
      queueMicrotask(() => state.abort('crash'))
      await new Promise(() => {})
    }).then(
      () => 'ok',
      (e: unknown) => String(e),
    ),
  )
  console.log(await (await w.fetch('/status')).text())
  console.log('2 timeout')
  console.log(
    await runInDurableObject(stubOf(w), async (_, state) => {
      setTimeout(() => state.abort('crash'), 5)
      await scheduler.wait(1)
    }).then(
      () => 'ok',
      (e: unknown) => String(e),
    ),
  )
  await scheduler.wait(20)
  console.log(await (await w.fetch('/status')).text())
  console.log('3 waitUntil')
  console.log(
    await runInDurableObject(stubOf(w), async (_, state) => {
      state.waitUntil(scheduler.wait(5).then(() => state.abort('crash')))
    }).then(
      () => 'ok',
      (e: unknown) => String(e),
    ),
  )
  await scheduler.wait(20)
  console.log(await (await w.fetch('/status')).text())
  console.log('4 blockConcurrencyWhile throw')
  console.log(
    await runInDurableObject(stubOf(w), async (_, state) => {
      await state.blockConcurrencyWhile(async () => {
        throw new Error('crash')
      })
    }).then(
      () => 'ok',
      (e: unknown) => String(e),
    ),
  )
  console.log(await (await w.fetch('/status')).text())
})
