import { createServer, type RequestListener } from 'node:http'

export interface FileServer {
  url: string
  close(): Promise<void>
}

/** A plain HTTP server on this machine. */
export async function fileServer(answer: RequestListener): Promise<FileServer> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  }
}
