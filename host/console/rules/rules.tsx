/**
 * The rules page: the configuration as a form and in sentences, the passkeys, and the user's stored decisions. A
 * saved configuration applies from the next call on, to all agents and sessions.
 *
 * @module
 */

import type { ComponentChildren } from 'preact'
import { connection } from '../connect/connection.ts'
import { basePath, features } from '../connect/workspace.ts'
import { useRules } from './use-rules.ts'
import { linkTo } from '../shell/route.ts'
import { useLoad } from '../ui/load.ts'
import { Fault, Note, PageHead, Waiting } from '../ui/parts.tsx'
import { Passkeys } from '../passkeys/passkeys.tsx'
import { AllTrust } from '../trust/trust-list.tsx'
import { readTopFolders } from './folder-table.tsx'
import { RulesForm } from './rules-form.tsx'
import { StoredDecisions } from './stored-decisions.tsx'

/** Shows the configuration, the passkeys and the stored decisions. */
export function Rules() {
  return (
    <>
      <PageHead title="Rules">
        What agents may do in this workspace. Saved rules apply from the next call on, to every
        agent and session.
      </PageHead>
      <div class="stack wide">
        {features.value.workspace ? (
          <Configuration>
            <Passkeys />
            <StoredDecisions />
            <AllTrust />
          </Configuration>
        ) : (
          <>
            <NoConfiguration />
            <StoredDecisions />
          </>
        )}
      </div>
    </>
  )
}

const NoConfiguration = () => (
  <Note title="This server has no rules to edit here.">
    {connection.value?.configSchema ? (
      <>
        It reads its configuration from each client: set it under{' '}
        <a href={linkTo(['connect'])}>Servers</a>.
      </>
    ) : (
      'Your decisions about its calls are listed below.'
    )}
  </Note>
)

/** The rules, and what else is on the page below them. */
function Configuration({ children }: { readonly children: ComponentChildren }) {
  const { value, error, reload } = useRules()
  const base = basePath.value
  const folders = useLoad((signal) => readTopFolders(base, signal), [base])
  // The rows of the folders would move the form below them.
  const hasFolders = folders.value !== null || folders.error !== null
  // A reload may fail; the form stays, with what the user typed.
  if (value && hasFolders)
    return (
      <>
        {error ? <Fault what="Cannot read the rules" error={error} retry={reload} /> : null}
        <RulesForm saved={value.answer} top={folders.value ?? []} onSaved={reload}>
          {children}
        </RulesForm>
      </>
    )
  // What is below has another parent once the rules are there: shown before, it would lose what was typed into it.
  if (!error)
    return (
      <div class="reserved">
        <Waiting />
      </div>
    )
  return (
    <>
      <div class="reserved">
        <Fault what="Cannot read the rules" error={error} retry={reload} />
      </div>
      {children}
    </>
  )
}
