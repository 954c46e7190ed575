import type { Command, Option } from "commander";

export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

/** One command with what may follow it. */
interface Completable {
  /** Words that lead to it, without the program's name: `plugin install`. */
  readonly path: readonly string[];
  readonly subcommands: readonly { readonly name: string; readonly about: string }[];
  readonly options: readonly {
    readonly flag: string;
    readonly about: string;
    readonly takesValue: boolean;
  }[];
  /** Values of its argument, where they are few. */
  readonly values: readonly string[];
}

/** A completion script made from the commands themselves, so that it knows exactly those that there are. */
export function completionScript(program: Command, shell: Shell): string {
  const commands = completables(program, program, []);
  const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };
  return scripts[shell](program.name(), commands);
}

function completables(program: Command, command: Command, path: readonly string[]): readonly Completable[] {
  const help = command.createHelp();
  const subcommands = help.visibleCommands(command).filter((one) => one.name() !== "help");
  const options = new Map<string, Option>();
  for (const option of [...command.options, ...help.visibleGlobalOptions(command)]) {
    if (option.long && !options.has(option.long)) options.set(option.long, option);
  }
  const own: Completable = {
    path,
    subcommands: subcommands.map((one) => ({ name: one.name(), about: summary(one.description()) })),
    options: [
      ...[...options].map(([flag, option]) => ({
        flag,
        about: summary(option.description),
        takesValue: option.required || option.optional,
      })),
      { flag: "--help", about: "say what this command does", takesValue: false },
    ],
    values: command.registeredArguments.flatMap((argument) => argument.argChoices ?? []),
  };
  return [own, ...subcommands.flatMap((one) => completables(program, one, [...path, one.name()]))];
}

/** Finds which command the words before the cursor name: the longest path of words that are no options. */
function bashScript(name: string, commands: readonly Completable[]): string {
  const cases = commands.map(({ path, subcommands, options, values }) => {
    const words = [...subcommands.map((one) => one.name), ...values, ...options.map((one) => one.flag)];
    return `    ${quoted(path.join(" "))}) words=${quoted(words.join(" "))} ;;`;
  });
  const paths = commands.filter(({ path }) => path.length > 0).map(({ path }) => quoted(path.join(" ")));
  return `# bash completion of ${name}; made by \`${name} completion bash\`
_${identifier(name)}() {
  local current=\${COMP_WORDS[COMP_CWORD]} path="" word words=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${path:+$path }$word" in
    ${paths.join(" | ")}) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _${identifier(name)} ${name}
`;
}

function zshScript(name: string, commands: readonly Completable[]): string {
  const described = (word: string, about: string) => quoted(`${word.replaceAll(":", "\\:")}:${about}`);
  const cases = commands.map(({ path, subcommands, options, values }) => {
    const words = [
      ...subcommands.map((one) => described(one.name, one.about)),
      ...values.map((value) => described(value, "")),
      ...options.map((one) => described(one.flag, one.about)),
    ];
    return `    ${quoted(path.join(" "))}) candidates=(\n      ${words.join("\n      ")}\n    ) ;;`;
  });
  const paths = commands.filter(({ path }) => path.length > 0).map(({ path }) => quoted(path.join(" ")));
  return `#compdef ${name}
# zsh completion of ${name}; made by \`${name} completion zsh\`
_${identifier(name)}() {
  local path_so_far="" word
  local -a candidates
  for word in \${words[2,CURRENT-1]}; do
    case "\${path_so_far:+$path_so_far }$word" in
    (${paths.join("|")}) path_so_far="\${path_so_far:+$path_so_far }$word" ;;
    esac
  done
  case "$path_so_far" in
${cases.join("\n")}
  esac
  _describe '${name}' candidates || _files
}
if [ "$funcstack[1]" = "_${name}" ]; then _${identifier(name)} "$@"; else compdef _${identifier(name)} ${name}; fi
`;
}

function fishScript(name: string, commands: readonly Completable[]): string {
  const lines = commands.flatMap(({ path, subcommands, options, values }) => {
    const condition = `-n ${quoted(`__${identifier(name)}_at ${quoted(path.join(" "))}`)}`;
    const start = `complete -c ${name} ${condition}`;
    return [
      ...subcommands.map((one) => `${start} -f -a ${one.name} -d ${quoted(one.about)}`),
      ...values.map((value) => `${start} -f -a ${value}`),
      ...options.map(
        ({ flag, about, takesValue }) =>
          `${start} -l ${flag.slice(2)}${takesValue ? " -r" : ""} -d ${quoted(about)}`,
      ),
    ];
  });
  const paths = commands.filter(({ path }) => path.length > 0).map(({ path }) => quoted(path.join(" ")));
  return `# fish completion of ${name}; made by \`${name} completion fish\`
function __${identifier(name)}_at
  set -l path ""
  for word in (commandline -opc)[2..-1]
    set -l longer (string trim -- "$path $word")
    contains -- "$longer" ${paths.join(" ")}; and set path "$longer"
  end
  test "$path" = "$argv[1]"
end
${lines.join("\n")}
`;
}

/** The first sentence, on one line. */
function summary(text: string): string {
  return text.split("\n", 1)[0]?.replace(/\s+/g, " ").trim() ?? "";
}

function identifier(name: string): string {
  return name.replace(/[^A-Za-z0-9]/g, "_");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
