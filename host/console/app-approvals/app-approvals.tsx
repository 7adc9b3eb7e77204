/**
 * Apps from files that wait for the owner, and those that are served: what each asks for, its files, and the buttons
 * that decide.
 *
 * `test/host/console/app-approvals.test.tsx` covers it.
 *
 * @module
 */

import type { ShownApp, ShownManifest } from '#core/owner/answers/apps.ts'
import { APP_ACTS } from '../approved/acts.ts'
import { Fact } from '../approved/fact.tsx'
import { FolderCard } from '../approved/folder-card.tsx'
import { FolderList, type ListCardProps } from '../approved/folder-list.tsx'
import { revision } from '../connect/connection.ts'
import { sendAct } from '../owner/send-act.ts'
import { waitingList } from '../drafts/waiting-list.ts'
import { ClaimedName } from '../ui/claimed-name.tsx'
import { useLoad } from '../ui/load.ts'
import { Note } from '../ui/parts.tsx'
import { Visible } from '../ui/visible.tsx'

/** Lists the apps. `base` is the URL of the workspace, without a slash at its end. */
export function AppApprovals({ base }: { readonly base: string }) {
  const listed = useLoad(
    async (signal) => {
      const { left, apps } = await sendAct(base, 'list_apps', { signal })
      return { left, rows: apps }
    },
    [base, revision.value, waitingList.value?.apps],
  )
  return (
    <FolderList
      {...{ base, listed }}
      title="Apps"
      acts={APP_ACTS}
      card={(props: ListCardProps<ShownApp>) => <App {...props} />}
    />
  )
}

/** The file that has the manifest: an app of a folder of mcp-bash has slashes in its name. */
const manifestOf = (name: string) => (name.includes('/') ? 'ui.meta.json' : 'app.json')

function App(props: ListCardProps<ShownApp>) {
  const { name, manifest: request } = props.row
  return (
    <FolderCard
      {...props}
      acts={APP_ACTS}
      title={request?.title ?? name}
      manifest={manifestOf(name)}
    >
      <p class="small">
        <code>{name}</code>
        {request && request.description !== '' && (
          <>
            {' · '}
            <ClaimedName name={request.description} />
          </>
        )}
      </p>
      {request && <Request {...request} />}
    </FolderCard>
  )
}

/** The origins that its page may reach. */
const originsOf = ({ csp }: ShownManifest) => [...new Set(Object.values(csp).flat())]

/** What the app can do: a template keeps to what it declares, code of its own need not. */
function Request(request: ShownManifest) {
  const { template, forTool, data, write, permissions, domain } = request
  const origins = originsOf(request)
  return (
    <>
      {template === null && <CodeNote origins={origins} />}
      <dl class="facts">
        <Fact
          name="Page"
          values={[template === null ? 'its own, which is code' : `${template} template`]}
        />
        {forTool === null ? (
          <Fact
            name={template === null ? 'Declares to show' : 'Shows'}
            values={data}
            none="no file"
            isCode
          />
        ) : (
          <Fact name="Shows each result of" values={[forTool]} isCode />
        )}
        <Fact
          name={template === null ? 'Declares to change' : 'May change'}
          values={write}
          none="nothing"
          isCode
        />
        <Fact name="Network" values={origins} none="none" isCode />
        {domain !== null && <Fact name="Own origin" values={[domain]} isCode />}
        {permissions.length > 0 && <Fact name="Asks for" values={permissions} />}
      </dl>
    </>
  )
}

/** States what a page of code can do, whatever its manifest declares. */
function CodeNote({ origins }: { readonly origins: readonly string[] }) {
  return (
    <Note tone="warning" title="This page is code.">
      It can read and change every file that the session which opens it can, as far as the rules
      allow{origins.length > 0 ? ', and send what it reads to ' : '.'}
      {origins.map((origin, index) => (
        <>
          {index > 0 && ', '}
          <code>
            <Visible text={origin} />
          </code>
        </>
      ))}
      {origins.length > 0 && '.'} What it declares is not enforced.
    </Note>
  )
}
