/**
 * The files of an app, each with its difference to the state that was approved. They are of the revision that the
 * buttons of its card decide on: the server refuses to show those of another one.
 *
 * `test/host/console/app-approvals.test.tsx` covers it.
 *
 * @module
 */

import { recordOf } from '#core/json.ts'
import { useState } from 'preact/hooks'
import { REVIEW_APP, REVIEW_MODES } from '../activity/review.tsx'
import { View } from '../apps/view.tsx'
import { getJson } from '../connect/http.ts'
import { toResult } from '../drafts/file-diff.tsx'
import { Path } from '../ui/path.tsx'
import { formatBytes } from '../ui/format.ts'
import { useLoad } from '../ui/load.ts'
import { Badge, Fault, Waiting } from '../ui/parts.tsx'
import type { AppRow } from './parse.ts'

interface Props {
  readonly base: string
  readonly row: Pick<AppRow, 'name' | 'revision' | 'files'>
}

/** Lists the files; a click shows one. */
export function AppFiles({ base, row }: Props) {
  const [opened, setOpened] = useState<string | null>(null)
  return (
    <ul class="appfiles">
      {row.files.map(({ path, size, change }) => (
        <li key={path}>
          <button
            type="button"
            class="button quiet small"
            aria-expanded={opened === path}
            onClick={() => setOpened(opened === path ? null : path)}
          >
            <Path text={path} />
          </button>{' '}
          {change && <Badge tone={change === 'deleted' ? 'danger' : 'info'}>{change}</Badge>}{' '}
          <small class="numbers">{formatBytes(size)}</small>
          {opened === path && <Difference key={row.revision} {...{ base, row, path }} />}
        </li>
      ))}
    </ul>
  )
}

function Difference({ base, row, path }: Props & { readonly path: string }) {
  const { name, revision } = row
  const query = new URLSearchParams({ path, revision })
  const url = `${base}/apps/${encodeURIComponent(name)}/diff?${query.toString()}`
  const { value, error, reload } = useLoad(
    async (signal) => recordOf(recordOf(await getJson(url, signal))['file']),
    [url],
  )
  if (error) return <Fault what="Cannot read the file" error={error} retry={reload} />
  if (value === null) return <Waiting>Reading the file…</Waiting>
  const result = toResult(`${name} ${path}`, path, 0, value)
  return <View uri={REVIEW_APP} name={path} result={result} modes={REVIEW_MODES} />
}
