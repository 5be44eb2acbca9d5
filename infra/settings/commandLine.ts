/** Arguments and `--help` of the operator's and the local platform's commands. */
import { type ParseArgsConfig, parseArgs } from 'node:util';

/** A request for help. The message is the text. */
export class HelpRequest extends Error {
  override readonly name = 'HelpRequest';
}

const PLATFORM = `Platform:
  --stack <name>   a deployed stack, default Parley; needs AWS credentials and a region
  --local          the platform that npm start runs here, without AWS
  PARLEY_DIR       folder of the local platform, default .parley`;

const LOCAL_ONLY = `Platform:
  --local          accepted, because the command is for the platform that npm start runs here
  PARLEY_DIR       folder of the local platform, default .parley`;

const NONE = 'Platform: none. The command neither reads nor changes a platform, so it has no --local.';

/** `anywhere`: a stack or the local platform; the options must include `targetOptions`. */
export type Platforms = 'anywhere' | 'local' | 'none';
const TEXTS: Record<Platforms, string> = { anywhere: PLATFORM, local: LOCAL_ONLY, none: NONE };

/** Prints the help of a command and ends the process if the arguments contain `--help` or `-h`. */
export function printHelp(usage: string, platforms: Platforms): void {
  try {
    answerHelp(usage, platforms);
  } catch (error) {
    process.stdout.write(`${(error as HelpRequest).message}\n`);
    process.exit(0);
  }
}

/** @throws HelpRequest if the arguments contain `--help` or `-h` */
export function answerHelp(usage: string, platforms: Platforms, args = process.argv.slice(2)): void {
  const end = args.indexOf('--');
  const options = end < 0 ? args : args.slice(0, end);
  if (options.includes('--help') || options.includes('-h')) throw new HelpRequest(`${usage}\n\n${TEXTS[platforms]}`);
}

/**
 * Parses the arguments of this process.
 * @param usage how to call the command, as its errors show it
 * @throws HelpRequest
 */
export function parseCommand<const Config extends ParseArgsConfig>(
  usage: string,
  config: Config,
  platforms: Platforms = 'anywhere',
): ReturnType<typeof parseArgs<Config>> {
  answerHelp(usage, platforms);
  return parseArgs(config);
}
