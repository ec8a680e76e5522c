/** As the project's own issues spell it: the dialect, or the tool when no dialect is known. */
export function componentOf(dialect: string | null, tool: string): string {
  if (dialect === null || dialect === '') return tool
  return dialectNames[dialect.toLowerCase()] ?? dialect
}

const dialectNames: Readonly<Record<string, string>> = {
  aig: 'AIG',
  arc: 'Arc',
  calyx: 'Calyx',
  chirrtl: 'FIRRTL',
  comb: 'Comb',
  datapath: 'Datapath',
  dc: 'DC',
  debug: 'Debug',
  emit: 'Emit',
  esi: 'ESI',
  firrtl: 'FIRRTL',
  fsm: 'FSM',
  handshake: 'Handshake',
  hw: 'HW',
  hwarith: 'HWArith',
  ibis: 'Ibis',
  importverilog: 'ImportVerilog',
  kanagawa: 'Kanagawa',
  llhd: 'LLHD',
  loopschedule: 'LoopSchedule',
  ltl: 'LTL',
  moore: 'Moore',
  msft: 'MSFT',
  om: 'OM',
  pipeline: 'Pipeline',
  rtg: 'RTG',
  rtgtest: 'RTGTest',
  seq: 'Seq',
  sim: 'Sim',
  smt: 'SMT',
  ssp: 'SSP',
  sv: 'SV',
  synth: 'Synth',
  systemc: 'SystemC',
  verif: 'Verif',
}
