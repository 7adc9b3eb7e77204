/**
 * `npm run passkeys -- list | remove <label or id>`: lists the passkeys of a workspace, and removes one that is lost
 * with the owner's secret, after the waiting time that the console has as well. `test/e2e/passkeys-command.slow.test.ts` has
 * the cases.
 *
 * @module
 */

import { createInterface } from 'node:readline'
import type { ShownPasskey } from '#core/owner/answers/passkeys.ts'
import { quoteName } from '#core/quote.ts'
import { printable, runScript, UserError } from './errors.ts'
import { HELP, readArguments, type PasskeysJob } from './passkeys/arguments.ts'
import { openPasskeys, type PasskeyServer } from './passkeys/server.ts'

async function manage({ base, remove, isSure }: PasskeysJob): Promise<void> {
  const server = await openPasskeys(base, process.env['EDGEWISE_OWNER_SECRET'])
  const { passkeys, removal_seconds: seconds } = await server.list()
  if (remove === null) return print(passkeys, base)
  const passkey = findPasskey(passkeys, remove)
  if (passkey.removal !== null) return console.log(`${describeRemoval(passkey)} already.`)
  const question = `Remove the passkey ${quoteName(passkey.label)} (${passkey.host}) of ${base} in ${seconds / 3600} hours?`
  if (isSure || (await isConfirmed(question))) await removeLater(server, passkey)
  else console.log('Nothing was removed.')
}

async function removeLater(server: PasskeyServer, { id }: ShownPasskey): Promise<void> {
  const { passkeys } = await server.removeLater(id)
  const removed = passkeys.find((one) => one.id === id)
  if (!removed) throw new UserError('The passkey is gone already.')
  console.log(printable(`${describeRemoval(removed)}, unless a passkey is used until then.`))
}

/** Finds the one passkey with this id, or with this label. */
function findPasskey(passkeys: readonly ShownPasskey[], name: string): ShownPasskey {
  const named = passkeys.filter(({ id, label }) => id === name || label === name)
  const [passkey, ...others] = named
  if (passkey && others.length === 0) return passkey
  const listed = (passkey ? named : passkeys).map((one) => `\n  ${describe(one)}`).join('')
  if (passkey)
    throw new UserError(
      `Cannot remove ${quoteName(name)}: ${named.length} passkeys have this label. Name one by its id:${listed}`,
    )
  throw new UserError(
    `Cannot remove ${quoteName(name)}: no passkey has this label or id. ${listed === '' ? 'There is none' : `There are:${listed}`}`,
  )
}

function print(passkeys: readonly ShownPasskey[], base: string): void {
  if (passkeys.length === 0) console.log(`There is no passkey in ${base}.`)
  for (const passkey of passkeys) console.log(printable(describe(passkey)))
}

function describe(passkey: ShownPasskey): string {
  const { id, label, host, created, used } = passkey
  const last = used === null ? 'never used' : `last used ${timeOf(used)}`
  const removal = passkey.removal === null ? '' : `, removed ${timeOf(passkey.removal)}`
  return `${id}  ${quoteName(label)}  for ${host}, registered ${timeOf(created)}, ${last}${removal}`
}

const describeRemoval = ({ label, removal }: ShownPasskey) =>
  printable(`The passkey ${quoteName(label)} will be removed ${timeOf(removal ?? 0)}`)

const timeOf = (at: number) => new Date(at).toISOString().replace(/:\d\d\.\d+Z$/, 'Z')

/** Asks a person. The end of the input is a No. */
async function isConfirmed(question: string): Promise<boolean> {
  process.stdout.write(printable(`${question} [y/N] `))
  const lines = createInterface({ input: process.stdin })
  for await (const line of lines) return /^y(es)?$/i.test(line.trim())
  return false
}

/** What the command line asks for. */
export async function run(): Promise<void> {
  const job = readArguments()
  if (job === null) console.log(HELP)
  else await manage(job)
}

if (import.meta.main) await runScript(run)
