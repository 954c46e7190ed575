import type { englishPlugin } from "./english-plugin.ts";

export const chinesePlugin: typeof englishPlugin = {
  plugin: {
    unknown: "插件：查询中",
    ready: "插件：就绪",
    published: "插件：就绪（公开版）",
    missing: "插件：缺失，按 i 安装",
    failed: "插件：故障",
    changing: {
      install: "插件：正在安装…",
      update: "插件：正在更新…",
      remove: "插件：正在移除…",
    },
  },
  pluginChanged: {
    install: "插件已安装并有响应。",
    update: "插件已更新并有响应。",
    remove: "插件已移除。修剪的回执会保留。",
  },
  pluginNotChanged: {
    install: (problem) => `插件未能安装：${problem}`,
    update: (problem) => `插件未能更新：${problem}`,
    remove: (problem) => `插件未能移除：${problem}`,
  },

  pluginSays: {
    answers: {
      look: (where) => `插件已安装在${where}，并有响应。`,
      none: (where) => `插件此前已安装在${where}，并有响应。`,
      installed: (where) => `插件现已安装在${where}，并有响应。`,
      updated: (where) => `插件已在${where}更新，并有响应。`,
    },
    removed: (folder) => `插件已从 ${folder} 移除；修剪的回执保留在 OpenCode 的数据库中。`,
    nothingRemoved: (folder) => `${folder} 中没有安装插件；没有移除任何内容。`,
    notInstalled: (todo) => `插件尚未安装；${todo}。`,
    silent: (where) => `插件在${where}，但没有响应；请重新启动 OpenCode。`,
    published: "公开版会话修剪插件有响应；opencode-prune 使用它。",
    fromElsewhere: (folder) => `插件有响应；OpenCode 从 ${folder} 加载它。`,
    somewhere: "别处",
    otherVersion: (version, brought, todo) =>
      `它的版本（${version}）与本程序自带的（${brought}）不同；${todo}。`,
    unknownVersion: "未知",
    changed: (files, todo) => `安装之后有人改动过它（${files}）；${todo}。`,
    someFiles: "其中一些文件",
    moreFiles: (names, more) => `${names} 及另外 ${more} 个`,
    foreign: "安装位置上有别的内容，保持原样；要安装请先将其移走。",
    notNeeded: (where) => `${where}的副本是多余的：OpenCode 只运行两者之一。`,
    standsBack: (where) => `${where}的插件在公开版启用时让位：两者遵循同一约定。`,
    notLocal: "服务器的插件在另一台机器上；请在那里安装、更新和移除。",
    stillPublished: "公开版会话修剪插件仍有响应。",
    stillElsewhere: (folder) => `它的另一个副本仍有响应：OpenCode 从 ${folder} 加载它。`,
  },
  pluginOnScreen: {
    where: "此处",
    install: "按 i 安装",
    update: "按 u 替换",
    putBack: "按 u 并确认后恢复原件",
  },

  pluginScreen: {
    everyProject: "用于所有项目",
    oneProject: (directory) => `仅用于 ${directory} 中的项目`,
    reading: "正在查看插件…",
    failed: (problem) => `未能查看插件：${problem} 按 R 重试。`,
    labels: { folder: "文件夹", installed: "已安装", brought: "自带", opencode: "OpenCode" },
    contents: {
      absent: "无",
      same: (version) => `${version}，与本程序自带的相同`,
      otherVersion: (version) => `${version}，另一版本`,
      changed: (version, files) => `${version}，有人改动过：${files}`,
      foreign: "不是 opencode-prune 放在那里的内容",
      notLocal: "在另一台机器上",
    },
    loaded: {
      answers: "从此文件夹运行它，并有响应",
      silent: "知道它，但没有响应",
      failed: "未能加载它",
      elsewhere: (folder) => `从 ${folder} 运行它，并有响应`,
      published: "运行公开版插件，并有响应",
      nothing: "没有运行能修剪的插件",
    },
    working: {
      install: "正在安装，并等待它响应…",
      update: "正在替换，并等待它响应…",
      remove: "正在移除，并等待 OpenCode 放开它…",
    },
    replaces: (folder, version) => `将 ${folder} 中的插件替换为版本 ${version}。`,
    removes: (folder) => `将从 ${folder} 移除插件。只有修剪的回执会保留在 OpenCode 的数据库中。`,
    loses: (files) => `有人所做的改动将丢失：${files}。`,
    askReplace: "只有按 y 才会替换，其他键都不会。",
    askRemove: "只有按 y 才会移除，其他键都不会。",
  },
};
