import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { renderSharedNatsConfig, renderUpgradeNatsConfig } from './infra/nats-config.ts'
import { overlayFaults } from './k8s/overlay-faults.ts'
import { overlays, renderOverlay } from './k8s/render.ts'
import { rootDir } from './paths.ts'

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
