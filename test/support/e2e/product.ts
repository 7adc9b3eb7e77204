/**
 * The product in this process: the same as `npm start` without the process, whose start takes longer than that of
 * workerd, except that clients have the address that `CF-Connecting-IP` gives, as in a deployment.
 *
 * @module
 */

import { buildIfOld } from '../../../scripts/build.ts'
import { freePort, loopbackHosts } from '../../../scripts/port.ts'
import { createProduct, type Internet } from '../../../scripts/product.ts'
import { writerOf } from '../../../scripts/runtime-log.ts'
import { variablesAt, type Given, type Running } from './running.ts'

/** Starts it on a free port, with a folder for its data; `internet` serves what it requests of other machines. */
export async function startHere(
  data: string,
  variables: Given = {},
  internet?: Internet,
): Promise<Running> {
  await buildIfOld()
  const port = await freePort()
  const url = `http://localhost:${port}`
  const written = { log: '', error: '' }
  const product = createProduct({
    port,
    hosts: await loopbackHosts(port),
    data,
    isDeployment: true,
    ...(internet && { internet }),
    environment: { ...process.env, ...variablesAt(url, variables) },
    log: writerOf({
      log: (line: string) => void (written.log += `${line}\n`),
      error: (line: string) => void (written.error += `${line}\n`),
    }),
  })
  await product.ready
  return {
    url,
    complaints: () => written.error,
    stdout: () => written.log,
    stop: () => product.dispose().then(() => 0),
  }
}
