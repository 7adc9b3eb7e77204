/** The page that connects an agent: the steps for each program, and whether its first call has come. @module */

import { target } from '../connect/target.ts'
import { features } from '../connect/workspace.ts'
import { linkTo, route, setQuery } from '../shell/route.ts'
import { Snippet } from '../ui/copy.tsx'
import { PageHead } from '../ui/parts.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { FirstCall } from './first-call.tsx'
import { ProgramSteps } from './program-steps.tsx'
import { PROGRAMS, SERVER_NAME } from './programs.ts'

/** Shows the address, the steps, and who has called. */
export function ConnectAgent() {
  const { url } = target.value
  return (
    <>
      <PageHead title="Connect an agent">
        Choose the program that your agent runs in, and follow its steps.
      </PageHead>
      <div class="stack wide">
        <FirstCall />
        <section class="card" aria-label="Steps">
          <ProgramTabs url={url} name={SERVER_NAME} />
        </section>
        <section class="card" aria-labelledby="any-program">
          <header>
            <h2 id="any-program">Any other program</h2>
          </header>
          <p class="small faint">Add a remote MCP server (Streamable HTTP) with this address.</p>
          <Snippet text={url} label="Address of this server" />
        </section>
        {features.value.workspace && <Restrict />}
      </div>
    </>
  )
}

/** Shows the programs as tabs, of which the address of the page names one. */
export const ProgramTabs = ({ url, name }: { readonly url: string; readonly name: string }) => (
  <Tabs
    label="Program"
    chosen={route.value.query['program'] ?? ''}
    onChoose={(program) => setQuery({ ...route.value.query, program })}
    tabs={PROGRAMS.map((program) => ({
      id: program.id,
      label: program.label,
      body: () => <ProgramSteps program={program} url={url} name={name} />,
    }))}
  />
)

const Restrict = () => (
  <section class="card" aria-labelledby="restrict">
    <header>
      <h2 id="restrict">One agent, less access</h2>
    </header>
    <p>
      An agent at this address may do everything that the <a href={linkTo(['rules'])}>rules</a>{' '}
      allow. To restrict one agent to a folder, to reading or to a time,{' '}
      <a href={linkTo(['sessions'], { do: 'new' })}>make a link for it</a>.
    </p>
  </section>
)
