/**
 * One example call of each tool, in an order in which one workspace can run them. `tool-examples.json` has them
 * with their results: `test/worker/tools/examples.test.ts` compares it with the product, and with `--update`
 * writes it; `docs/tools.md` is generated from it.
 *
 * @module
 */

/** One call. */
export interface Example {
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
}

const example = (tool: string, args: Readonly<Record<string, unknown>> = {}): Example => ({
  tool,
  arguments: args,
})

const PLAN = '# Plan\n\nShip on Monday.\n'

/** The calls, each of which succeeds. */
export const EXAMPLES: readonly Example[] = [
  example('write_file', { path: 'docs/plan.md', content: PLAN, if_version: 0 }),
  example('read_file', { path: 'docs/plan.md' }),
  example('edit_file', {
    path: 'docs/plan.md',
    edits: [{ find: 'Monday', replace: 'Friday' }],
    if_version: 1,
  }),
  example('list_roots'),
  example('draft_status'),
  example('find_files', { pattern: '*.md', glob: true }),
  example('search_files', { pattern: 'ship', root: 'docs' }),
  example('read_multiple_files', { paths: ['docs/plan.md', 'docs/gone.md'] }),
  example('copy_file', { from: 'docs/plan.md', to: 'docs/copy.md' }),
  example('move_file', { from: 'docs/copy.md', to: 'old/plan.md' }),
  example('delete_file', { path: 'old' }),
  example('undo_change', { version: 5 }),
  example('create_checkpoint', { name: 'Before the cleanup' }),
  example('list_folder', { path: 'docs' }),
  example('create_folder', { path: 'notes' }),
  example('restore_file', { path: 'docs/plan.md', version: 1 }),
  example('file_history', { path: 'docs/plan.md', limit: 1 }),
  example('list_changes', { limit: 1 }),
  example('delegate', { label: 'helper', scopes: ['read:file:/docs'], ttl_seconds: 600 }),
  example('list_checkpoints'),
  example('compare_checkpoints', { from: 'Before the cleanup' }),
  example('restore_checkpoint', { checkpoint: 'Before the cleanup', folder: 'docs' }),
  example('transfer_link', { path: 'docs/plan.md', direction: 'download' }),
]
