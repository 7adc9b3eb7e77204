/** The files of an app, each with its difference to the state that was approved. @module */

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
import type { AppFileRow } from './parse.ts'

interface Props {
  readonly base: string
  readonly name: string
  readonly files: readonly AppFileRow[]
}

/** Lists the files; a click shows one. */
export function AppFiles({ base, name, files }: Props) {
  const [opened, setOpened] = useState<string | null>(null)
  return (
    <ul class="appfiles">
      {files.map(({ path, size, change }) => (
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
          {opened === path && <Difference base={base} name={name} path={path} />}
        </li>
      ))}
    </ul>
  )
}

function Difference({ base, name, path }: Omit<Props, 'files'> & { readonly path: string }) {
  const url = `${base}/apps/${encodeURIComponent(name)}/diff?path=${encodeURIComponent(path)}`
  const { value, error, reload } = useLoad(
    async (signal) => recordOf(recordOf(await getJson(url, signal))['file']),
    [url],
  )
  if (error) return <Fault what="Cannot read the file" error={error} retry={reload} />
  if (value === null) return <Waiting>Reading the file…</Waiting>
  const result = toResult(`${name} ${path}`, path, 0, value)
  return <View uri={REVIEW_APP} name={path} result={result} modes={REVIEW_MODES} />
}
