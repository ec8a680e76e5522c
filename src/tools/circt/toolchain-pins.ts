/** SHA-256 of each program, by file name without extension. */
export type ToolPins = Readonly<Record<string, string>>

/**
 * The toolchains we fetch: version, then platform as CIRCT's own archives name it, then program. They are hashes of the
 * programs themselves, so the release archive and Maven's jar are held to the same ones.
 */
export const toolchainPins: Readonly<Record<string, Readonly<Record<string, ToolPins>>>> = {
  '1.155.0': {
    'linux-x64': {
      firtool: 'd92d0c26830e85ab810b3bccb1506cb613b515b388064df12a5a79ec71f3cc6b',
      'circt-opt': '2338daf542af2da5d4a805cd54e982a48b9dd9474b7614781cbb0e2502b90ee0',
      'circt-verilog': '4743372ad99adf5523ec91eba3a9ff0c3eefc940561910019fa70de21f2ff301',
      'circt-reduce': '5d1fde236b1a4b75d234957e44a500e266dc06397e46d70b5b10e994c8592d4c',
      'circt-translate': '59dc9064ecda06d0010cac298f066dff35c11a14ddc573d30f3d876003c70940',
      'circt-synth': 'f86966d67bfaebe93706647fbfb0f16d860061a0140066476f36cf832c0d1caa',
      'circt-test': 'd301b701f4e93ec0755d8d0015ffa54a11a84de18abf75a50297d7b53513fbe1',
      domaintool: 'f8ce0583cc74c5aa9c07050ace40a948eab3edf004d7fde11f53833fd659432d',
      'om-linker': '460fa9c1f70337f90ea49d625b6e614f2bdbcc5f24618f95821926ed8bc70456',
    },
    'macos-x64': {
      firtool: 'd873a1979865eb46813eec591a0abf4cb9ba4780a35f2faacf1fb71275c8600d',
      'circt-opt': '3ee1744491d6715ae18ef5899825e5cf18a00efa95eee0e93b074063a9c011b8',
      'circt-verilog': '9153c888322228fb65d93ff8d76072de9e9c0b921c191d7de98be4c2c1b2c5c6',
      'circt-reduce': '1c2b44dcb7735f552c816838e73182a6a4df9a88ae503fad11fac4474351a9ad',
      'circt-translate': '0fb719ead99c586a653ede9036ac994475fe6c889f63546bc7c098ea6f14292c',
      'circt-synth': 'd8e6a44e9c9a1dc4858a51af33a79243bd3b75a76e79b99bcf10360ecb575a73',
      'circt-test': '007d3b1d5940ce3bfc0538410e89c39c08d7ecc4f2cc34671d065d0187e28e17',
      domaintool: '1cd3311fe1d6d4f99bd7b1e6babd9b289f057bb832f2a772a352478d7fd0ee9d',
      'om-linker': 'dfb2c1961fb29e66173cc7c45c76112f14a5c96e41df8c16dac366b773862178',
    },
    'macos-aarch64': {
      firtool: '894061e21f7f6a93b9464a3a866467ccc9d37d9bdf9951e9b25d9668690fef00',
      'circt-opt': 'e9a6edea5d89b6cb9b16302f5e16fdc554af2293b132797ab025392cb238cf95',
      'circt-verilog': 'b8c764615091f481823475bd9e0d3191049fcbc0a8dbe6fd228db2f7624c3ae1',
      'circt-reduce': 'f0332d953417c43c73b5804780eeffd7f84fb91af391f97e4943fb5154519973',
      'circt-translate': '3bf98a02f47a314e7e64314c61c70821277dd4c6c90dd02a435a9bc06d4d8427',
      'circt-synth': '0f2ebd731ce7a0a1557c24689b48581c1e245e04bdab29f02f570a5d9691ccfc',
      'circt-test': '4f31cb81fd54cfc543c06fa70ab7517d908a4b8ceaedf5811761559009935283',
      domaintool: '2dc35c3b501bf885f4b284f75566f8ea9649e5400b4cec40c2f4ca5cb2f4ceeb',
      'om-linker': '4f7bdc292e123bf2225e47729e4abd04d138515e037c96a3e8d605483e6d1983',
    },
    'windows-x64': {
      firtool: '198cf087f80e5df27f54c5515830cebca3dcd1c45b81c456503c407ccc26a4b3',
      'circt-opt': '6f8af0fff87914c60ec30d1ad5735c529f91834b1874d1de12aceb823890d18f',
      'circt-verilog': '737ccfa329dcf0f2292d9d285543da2a4de2b28b17c6af982bb80a820b04f68c',
      'circt-reduce': '4a1087e74f7cc29937d09f92ecc41a8a7768f561bb6f6555d5891d306ebe8a28',
      'circt-translate': '4a46480bae2c3b8c0ab7deac6f31b535db574635cd543446cdbbc2bc30a1d104',
      'circt-synth': '2d2dc8cfe48450eca84336628758a23f1b12785bb0019507c7bf9a16ef377742',
      'circt-test': 'cf64da9dac5fc83d617fd6a6d77b9899e37131ac1784444a652d2163113749d2',
      domaintool: '20efe8464cf7e2220837b8d19313ad86f83895deb1506741451c115bced25fb8',
      'om-linker': 'b481ad2ab4f8f13b4c1355be05cb3d983fe2bb36bf490839db9b2c01c7c5b93c',
    },
  },
  '1.62.1': {
    'linux-x64': {
      firtool: '7f52d2a3782d09736895f66e7eb0e5cc4b3b1b18aa1ad0d04fca4cd6e42cd2ee',
      'om-linker': 'dadb87eaf73d8748f46d124cf3e21bd87aed7dda96651983145af51584ba35ba',
    },
    'macos-x64': {
      firtool: 'e26d9361844d9d731b44565236a802b1bb0f69e538226ad9a253d035f8f5e72d',
      'om-linker': 'f4630923ef82d520ebbf477e3e42f048b8b80a093dfe211e5f149b6d932c79e2',
    },
    'windows-x64': {
      firtool: '821bfaf33f1b0d3269611baf63e134ed9180ec2d28565bfa78c58bb0ae1367a8',
      'om-linker': 'b0c508836d6f6dee351d70e24251bdc434dc0373ddab021143812e7995512d63',
    },
  },
}

/** The newest pinned one, fetched when nothing is there and no version is asked for. */
export const defaultToolchain = '1.155.0'

/** The pins for this machine and the platform word they stand under, or null where CIRCT publishes nothing for it. */
export function pinsFor(version: string, machine = `${process.platform}-${process.arch}`) {
  const ofVersion = toolchainPins[version] ?? {}
  for (const platform of platformWords[machine] ?? []) {
    const tools = ofVersion[platform]
    if (tools !== undefined) return { platform, tools }
  }
  return null
}

/** Apple's own processors run the x64 programs too, where there are no others. */
const platformWords: Readonly<Record<string, readonly string[]>> = {
  'linux-x64': ['linux-x64'],
  'darwin-x64': ['macos-x64'],
  'darwin-arm64': ['macos-aarch64', 'macos-x64'],
  'win32-x64': ['windows-x64'],
}
