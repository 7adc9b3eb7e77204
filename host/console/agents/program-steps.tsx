/** The steps to connect a program: what to do, and what to paste. @module */

import { Snippet } from '../ui/copy.tsx'
import { Icon } from '../ui/icons.tsx'
import { Note } from '../ui/parts.tsx'
import { isPublic, type Program, type Step } from './programs.ts'

/** Shows the steps for one program. */
export function ProgramSteps({
  program,
  url,
  name,
}: {
  readonly program: Program
  readonly url: string
  readonly name: string
}) {
  const { label, docs, isHosted, steps } = program
  return (
    <div class="stack tight">
      {isHosted && !isPublic(url) && <NotReachable label={label} />}
      <ol class="setupsteps">
        {steps(url, name).map((step) => (
          <li key={step.text}>
            <OneStep step={step} label={label} />
          </li>
        ))}
      </ol>
      <p class="small faint">
        <a href={docs} rel="noreferrer" target="_blank">
          Documentation of {label}
        </a>
      </p>
    </div>
  )
}

const OneStep = ({ step, label }: { readonly step: Step; readonly label: string }) => (
  <>
    <p>{step.text}</p>
    {step.install !== undefined && (
      <a class="button primary" href={step.install}>
        <Icon name="download" /> Install in {label}
      </a>
    )}
    {step.code !== undefined && <Snippet text={step.code} label={`For ${label}`} />}
  </>
)

const NotReachable = ({ label }: { readonly label: string }) => (
  <Note tone="warning" title={`${label} cannot reach this address.`}>
    It connects from the servers of its maker, which reach only public addresses with https. Deploy
    this workspace first (<code>npm run deploy</code>), and open the console there.
  </Note>
)
