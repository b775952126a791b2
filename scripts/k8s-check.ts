import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { renderSharedNatsConfig, renderUpgradeNatsConfig } from '@tripline/testkit/infra/nats-config'
import { overlays, renderOverlay } from '@tripline/testkit/k8s/render'
import { rootDir } from '@tripline/testkit/paths'
import { overlayFaults } from './k8s/overlay-faults.ts'

if (process.argv.includes('--write')) {
  writeFileSync(path.join(rootDir, 'k8s/base/nats/users.conf'), renderSharedNatsConfig())
  writeFileSync(path.join(rootDir, 'k8s/components/upgrade/users.conf'), renderUpgradeNatsConfig())
}

let faults = 0
for (const overlay of overlays) {
  const objects = await renderOverlay(overlay)
  const found = await overlayFaults(overlay, objects)
  faults += found.length
  console.log(`${overlay}: ${objects.length} objects, ${found.length} faults`)
  for (const fault of found) console.log(`  ${fault}`)
}
process.exit(faults === 0 ? 0 : 1)
