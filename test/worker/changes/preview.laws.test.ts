/** A preview changes no byte of an export, whatever it shows, and the real call does what it showed. */

import { parsePath, ROOT } from '#core/path.ts'
import { exportArchive } from '#worker/archive/export.ts'
import fc from '../../support/core/random.ts'
import { expect, it } from 'vitest'
import { runs } from '../../support/core/runs.ts'
import { withToolContext, type TestContext, type Reply } from '../../support/worker/tool-context.ts'

const paths = fc.constantFrom('/a', '/b', '/d', '/d/a', '/d/e/b', '/new/x', '/')
const texts = fc.constantFrom('', 'one', 'two\n', 'one two', 'x'.repeat(300))

const calls = fc.oneof(
  fc.record({ name: fc.constant('write_file'), args: fc.record({ path: paths, content: texts }) }),
  fc.record({
    name: fc.constant('edit_file'),
    args: fc.record({
      path: paths,
      edits: fc.array(fc.record({ find: fc.constantFrom('one', 't', 'x'), replace: texts }), {
        minLength: 1,
        maxLength: 2,
      }),
    }),
  }),
  fc.record({ name: fc.constant('move_file'), args: fc.record({ from: paths, to: paths }) }),
  fc.record({ name: fc.constant('delete_file'), args: fc.record({ path: paths }) }),
)

/** As text with a character for each byte, which costs less to compare. */
const exported = async ({ owner }: TestContext) => {
  const archive = await new Response(
    exportArchive(owner.store, { folder: ROOT, format: 'tar' }),
  ).arrayBuffer()
  return new TextDecoder('windows-1252').decode(archive)
}

function answerOf(reply: Reply): unknown {
  if (reply.refused) return reply.refused
  const { structuredContent, content, isError } = reply.outcome
  return { structuredContent, isError, text: content.filter(({ type }) => type === 'text') }
}

it('a preview changes nothing, and the call returns the same result', async () => {
  let shown = 0
  await withToolContext({}, async (context) => {
    await context.write({ '/a': 'one', '/b': 'one two', '/d/a': 'two\n', '/d/e/b': '' })
    let before = await exported(context)
    const law = fc.asyncProperty(calls, fc.boolean(), async ({ name, args }, really) => {
      const previewed = await context.call(name, args, { preview: true })
      expect(await exported(context)).toBe(before)
      if (!previewed.refused && !previewed.outcome.isError) shown++
      if (!really) return
      expect(answerOf(await context.call(name, args))).toEqual(answerOf(previewed))
      before = await exported(context)
      if (!context.store.stat(parsePath('/b'))) {
        await context.write({ '/a': 'one', '/b': 'one two', '/d/a': 'two\n' })
        before = await exported(context)
      }
    })
    await fc.assert(law, { ...runs(150), endOnFailure: true })
  })
  expect(shown).toBeGreaterThan(20)
})
