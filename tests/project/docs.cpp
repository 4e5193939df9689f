// SPDX-License-Identifier: MIT
#include "tests/project/docs.h"
#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>

namespace dovetail::project {

namespace {

using Matches = std::sregex_iterator;

// The top folders of the project. A path with another beginning belongs to somebody else, or a build makes it.
constexpr const char *Room = "(?:src|parts|merge|gfx9-merged|variants|tools|tests|docs)/";

bool isDocument(const std::string &path) {
  return path.ends_with(".md");
}

// The names that the project has, for look-ups.
struct Names {
  std::set<std::string> paths;    // files and folders
  std::set<std::string> words;    // of all files but documents, and file names without their endings
  std::set<std::string> programs; // that the build makes
  std::string tools;              // the text of all tools and tests

  explicit Names(const SourceTree &tree) {
    static const std::regex Word("[A-Za-z_]\\w*"), Program("(?:executable\\(\\s*|'program': )'([^']+)'");
    for (const auto &[path, text] : tree) {
      for (std::filesystem::path part = path; !part.empty(); part = part.parent_path())
        paths.insert(part.generic_string());
      if (isDocument(path) || text.find('\0') != std::string::npos)
        continue;
      const std::string name = std::filesystem::path(path).filename().string();
      words.insert(name.substr(0, name.find('.')));
      for (Matches match(text.begin(), text.end(), Word), end; match != end; ++match)
        words.insert(match->str());
      if (path.ends_with("meson.build"))
        for (Matches match(text.begin(), text.end(), Program), end; match != end; ++match)
          programs.insert((*match)[1]);
      if (path.starts_with("tools/") || path.starts_with("tests/"))
        tools += text;
    }
  }

  // Whether there is such a file or folder; `*` stands for anything.
  bool hasPath(std::string path) const {
    while (path.ends_with('/') || path.ends_with('.'))
      path.pop_back();
    if (const size_t star = path.find('*'); star != std::string::npos)
      return std::ranges::any_of(paths, [&](const std::string &known) {
        return known.starts_with(path.substr(0, star)) && known.ends_with(path.substr(star + 1));
      });
    return paths.contains(path);
  }

  bool hasFileNamed(const std::string &name) const {
    return paths.contains(name) ||
           std::ranges::any_of(paths, [&](const std::string &known) { return known.ends_with("/" + name); });
  }

  // Documents may shorten names: v_rcp stands for v_rcp_f32 and the like.
  bool hasWord(const std::string &word) const {
    auto found = words.lower_bound(word);
    return found != words.end() && found->starts_with(word);
  }

  bool hasOption(const std::string &option) const {
    return std::regex_search(tools, std::regex(option + "(?![\\w-])"));
  }
};

// Code within lines, and blocks of code (fenced, or indented by four).
struct Code {
  std::vector<std::string> spans, lines;
};

Code codeOf(const std::string &document) {
  static const std::regex Span("`([^`]+)`");
  Code code;
  bool isFenced = false;
  for (size_t begin = 0, end; begin < document.size(); begin = end + 1) {
    end = std::min(document.find('\n', begin), document.size());
    const std::string line = document.substr(begin, end - begin);
    if (line.starts_with("```"))
      isFenced = !isFenced;
    else if (isFenced || line.starts_with("    "))
      code.lines.push_back(line);
    else
      for (Matches match(line.begin(), line.end(), Span), none; match != none; ++match)
        code.spans.push_back((*match)[1]);
  }
  return code;
}

// This document names code of another project.
bool namesForeignCode(const std::string &path) {
  return path == "docs/lavapipe.md";
}

} // namespace

std::vector<std::string> findDocumentViolations(const SourceTree &tree) {
  static const std::regex Link("\\]\\(([^)#\\s]+)"), Path(std::string("(?:^|[^\\w./-])(") + Room + "[\\w./*-]*)"),
      FileName("(?:^|[^\\w./*-])([\\w-]+\\.(?:h|cpp|c|def|py))(?![\\w.])"),
      Program("(?:^|[^\\w./-])build/(?:tools|tests)/(?:[\\w-]+/)*([\\w-]+)"), Option("(?:^|[\\s`,|])(--[a-z][\\w-]*)"),
      Identifier("(?:^|[^\\w./:*-])([A-Za-z_]\\w{2,})(?![\\w./*-])");
  const Names names(tree);
  std::vector<std::string> violations;
  for (const auto &[path, text] : tree) {
    if (!isDocument(path))
      continue;
    auto complain = [&, &document = path](const std::string &what) { violations.push_back(document + ": " + what); };
    auto forEach = [](const std::string &where, const std::regex &pattern, const auto &visit) {
      for (Matches match(where.begin(), where.end(), pattern), end; match != end; ++match)
        visit((*match)[1].str());
    };
    forEach(text, Link, [&](const std::string &link) {
      const auto target = (std::filesystem::path(path).parent_path() / link).lexically_normal().generic_string();
      if (link.find("://") == std::string::npos && !names.paths.contains(target))
        complain("the link to " + link + " leads nowhere");
    });
    const Code code = codeOf(text);
    auto checkPaths = [&](const std::string &where) {
      forEach(where, Path, [&](const std::string &name) {
        if (!names.hasPath(name))
          complain("there is no " + name);
      });
      forEach(where, Program, [&](const std::string &name) {
        if (!names.programs.contains(name))
          complain("nothing builds the program " + name);
      });
      forEach(where, Option, [&](const std::string &option) {
        if (!names.hasOption(option))
          complain("no tool has the option " + option);
      });
    };
    std::ranges::for_each(code.lines, checkPaths);
    for (std::string span : code.spans) {
      // Documents shorten names at will.
      constexpr std::string_view Ellipsis = "…";
      for (size_t at; (at = span.find(Ellipsis)) != std::string::npos;)
        span.replace(at, Ellipsis.size(), "*");
      checkPaths(span);
      if (namesForeignCode(path))
        continue;
      forEach(span, FileName, [&](const std::string &name) {
        if (!names.hasFileNamed(name))
          complain("there is no file " + name);
      });
      forEach(span, Identifier, [&](const std::string &word) {
        if (!names.hasWord(word))
          complain("nothing in the project is called " + word);
      });
    }
  }
  return violations;
}

std::vector<std::string> findCommentViolations(const SourceTree &tree) {
  static const std::regex Comment("(?://|#|^ ?\\*)([^\\n]*)"),
      Path(std::string("(?:^|[^\\w./-])(") + Room + "[\\w./-]*\\.(?:h|cpp|c|def|md|py|sh))(?!\\w)");
  const Names names(tree);
  std::vector<std::string> violations;
  for (const auto &[path, text] : tree) {
    // The tests of these checks contain text that looks like comments.
    if (isDocument(path) || path.starts_with("tests/project/") || text.find('\0') != std::string::npos)
      continue;
    for (Matches comment(text.begin(), text.end(), Comment), end; comment != end; ++comment) {
      const std::string words = (*comment)[1];
      if (words.starts_with("include"))
        continue; // the compiler looks for the file
      for (Matches match(words.begin(), words.end(), Path); match != end; ++match)
        if (!names.paths.contains((*match)[1]))
          violations.push_back(path + ": there is no " + (*match)[1].str());
    }
  }
  return violations;
}

std::vector<std::string> findUnnamedOptions(const SourceTree &tree) {
  // A short form and the name, as in "-o,--output".
  static const std::regex Option("\"(?:-(\\w),)?(--[a-z][\\w-]*)\"");
  std::vector<std::string> violations;
  for (const auto &[path, text] : tree) {
    const bool isPartDump = path.starts_with("tools/programs/part-dump/");
    if (!path.ends_with(".cpp") || !(isPartDump || (path.starts_with("tools/") && path.ends_with("_command.cpp"))))
      continue;
    const char *name = isPartDump ? "docs/part-dump.md" : "docs/command-line.md";
    auto document = tree.find(name);
    const std::string words = document == tree.end() ? "" : document->second;
    for (Matches match(text.begin(), text.end(), Option), end; match != end; ++match) {
      auto isNamed = [&](const std::string &option) {
        return std::regex_search(words, std::regex("[` ]" + option + "(?![\\w-])"));
      };
      if (!isNamed((*match)[2]) && !((*match)[1].matched && isNamed("-" + (*match)[1].str())))
        violations.push_back(std::string(name) + " does not name " + (*match)[2].str() + " of " + path);
    }
  }
  return violations;
}

} // namespace dovetail::project
