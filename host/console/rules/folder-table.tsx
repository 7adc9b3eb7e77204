/** The folders of a workspace as a table: what agents may read and change, and what waits for the person. @module */

import { isRecord, type JsonRecord } from '#core/json.ts'
import { resolvePath, type StorePath } from '#core/path.ts'
import { visible } from '#core/visible.ts'
import { getJson } from '../connect/http.ts'
import { Path } from '../ui/path.tsx'
import { DecisionButton } from '../ui/decision-button.tsx'
import { Icon } from '../ui/icons.tsx'
import { textIn } from '../ui/storage.ts'
import {
  askIn,
  describeFolder,
  listFolders,
  toggleChanges,
  type FolderAccess,
} from './folder-rules.ts'

interface Props {
  readonly config: JsonRecord
  /** The folders of the workspace, read before the page is shown, because their rows move what is below. */
  readonly top: readonly StorePath[]
  /** Called with the rules after a click. */
  readonly onChange: (config: JsonRecord) => void
}

/** Most folders that are listed. */
const MAX_FOLDERS = 12

/** Shows the folders of the rules and of the workspace. */
export function FolderTable({ config, top, onChange }: Props) {
  const folders = listFolders(config, top)
  return (
    <section class="card" aria-labelledby="folders-and-approval">
      <header>
        <h2 id="folders-and-approval">Folders and approval</h2>
      </header>
      <table class="folders">
        <thead>
          <tr>
            <th scope="col">Folder</th>
            <th scope="col">May read</th>
            <th scope="col">May change</th>
            <th scope="col">Ask me</th>
          </tr>
        </thead>
        <tbody>
          {folders.slice(0, MAX_FOLDERS).map((folder) => (
            <Row key={folder} folder={folder} config={config} onChange={onChange} />
          ))}
        </tbody>
      </table>
      {folders.length > MAX_FOLDERS && (
        <p class="faint small">Only the first {MAX_FOLDERS} folders are listed.</p>
      )}
    </section>
  )
}

type RowProps = Omit<Props, 'top'> & { readonly folder: StorePath }

function Row({ folder, config, onChange }: RowProps) {
  const { read, change } = describeFolder(config, folder)
  const toggled = toggleChanges(config, folder)
  return (
    <tr>
      <th scope="row">
        <Path text={folder} />
      </th>
      <td>
        <Answer value={read} />
      </td>
      <td>
        <Answer value={change} />
        {toggled && (
          <DecisionButton
            shown={`${change} ${folder}`}
            look="quiet small"
            onDecide={() => onChange(toggled)}
          >
            {change === 'no' ? 'Allow' : 'Forbid'}
            <span class="unseen"> changes in {visible(folder)}</span>
          </DecisionButton>
        )}
      </td>
      <td>
        <Ask folder={folder} config={config} onChange={onChange} />
      </td>
    </tr>
  )
}

const ANSWERS = { yes: 'Yes', partly: 'Partly', no: 'No' } as const

const Answer = ({ value }: { readonly value: FolderAccess['read'] }) => (
  <span class={`answer ${value}`}>
    <Icon name={value === 'no' ? 'lock' : 'check'} /> {ANSWERS[value]}
  </span>
)

function Ask({ folder, config, onChange }: RowProps) {
  const asked = askIn(config, folder)
  if (asked.state === 'waits')
    return (
      <small>
        <span class="unseen">Changes in {visible(folder)} wait for you.</span>
        <span aria-hidden="true">Waits for you</span>
      </small>
    )
  if (asked.state === 'outside') return null
  return (
    <DecisionButton
      shown={`${asked.state} ${folder}`}
      look="small"
      onDecide={() => onChange(asked.config)}
    >
      Ask me first
      <span class="unseen">, before anything in {visible(folder)} changes</span>
    </DecisionButton>
  )
}

const MAX_READ = 200

/** Reads the folders at the top of a workspace. */
export async function readTopFolders(base: string, signal: AbortSignal): Promise<StorePath[]> {
  const page = await getJson(`${base}/files/?limit=${MAX_READ}`, signal)
  const entries = isRecord(page) && Array.isArray(page['entries']) ? page['entries'] : []
  return entries.flatMap((entry: unknown) => {
    const path = resolvePath(`/${textIn(entry, 'name') ?? ''}`)
    return textIn(entry, 'type') === 'folder' && path.ok ? [path.value] : []
  })
}
