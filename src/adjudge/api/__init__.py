"""What `import adjudge` offers beside the nouns: each verb of the command line as a function."""
