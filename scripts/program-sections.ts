/** The section of `docs/connect.md`: the steps for each program, as the console shows them. @module */

import { PROGRAMS, SERVER_NAME, type Program, type Step } from '../host/console/agents/programs.ts'

const URL = 'http://localhost:8787/mcp'
const PUBLIC_URL = 'https://your-host.example/mcp'

/** Returns the steps for all programs. */
export const programsSection = (): string => PROGRAMS.map(programPart).join('\n\n')

function programPart({ label, docs, isHosted, steps }: Program): string {
  const listed = steps(isHosted ? PUBLIC_URL : URL, SERVER_NAME).map(stepPart)
  return [`## ${label}`, listed.join('\n'), `[Documentation of ${label}](${docs})`].join('\n\n')
}

function stepPart({ text, code, install }: Step): string {
  if (install !== undefined) return `1. ${text} The console has the link.`
  if (code === undefined) return `1. ${text}`
  const lines = ['```', ...code.trimEnd().split('\n'), '```'].map((line) =>
    line ? `   ${line}` : '',
  )
  return [`1. ${text}`, '', ...lines, ''].join('\n')
}
