const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400 } as const

/** '90s', '30m', '24h', '2d' or plain seconds, as whole seconds; null when it is none of these. */
export function parseDuration(text: string): number | null {
  const parts = /^(\d{1,9})([smhd]?)$/.exec(text.trim())
  if (parts === null) return null
  const unit = (parts[2] || 's') as keyof typeof SECONDS
  return Number(parts[1]) * SECONDS[unit]
}

/** '0.4 s', '12 s', '3 min 05 s', '2 h 10 min'. */
export function showDuration(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1000
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${pad(whole % 60)} s`
  return `${Math.floor(whole / 3600)} h ${pad(Math.floor((whole % 3600) / 60))} min`
}

function pad(number: number): string {
  return String(number).padStart(2, '0')
}
